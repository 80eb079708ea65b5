import { useEffect, useState } from 'preact/hooks'

/** The value as it was when it last stood still for so long: what is typed is not asked letter by letter. */
export function useDebounced<Value>(value: Value, milliseconds = 250): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
