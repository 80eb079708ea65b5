import { register } from 'node:module'

// better-sqlite3 is not installed, for processes that are started with `--import` of this module.
const hooks = `
  export async function resolve(specifier, context, next) {
    if (specifier !== 'better-sqlite3' && !specifier.startsWith('better-sqlite3/')) return next(specifier, context)
    throw Object.assign(new Error('Cannot find package better-sqlite3'), { code: 'ERR_MODULE_NOT_FOUND' })
  }`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
