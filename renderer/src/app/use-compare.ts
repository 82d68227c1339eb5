import { useLocation } from 'wouter'
import { toast } from '#renderer/ui/toast.tsx'
import { keyOf } from './keymap.ts'

/** Opens a list whose rows can be compared, and shows how to compare them. */
export function useCompare(): (list: string) => void {
  const [, go] = useLocation()
  return (list) => {
    go(list)
    toast.info('Select two or more', `${keyOf('select')} selects, ${keyOf('compareMarked')} compares.`)
  }
}
