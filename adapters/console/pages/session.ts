import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ConsoleInfo } from './api.ts'

export const Session = createContext<ConsoleInfo>({
  access: 'read',
  multiTenant: false,
  hasWebhookKey: false,
  version: '',
  tenant: null,
})

/** Whether this page may change anything: what would is hidden where it may not. */
export function useMayWrite(): boolean {
  return useContext(Session).access === 'write'
}
