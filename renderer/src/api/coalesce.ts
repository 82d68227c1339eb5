/** Runs `work` at once, then at most each `ms`: many calls in between become one at the end of the wait. */
export function coalesce(work: () => void, ms: number): () => void {
  let waiting = false
  let again = false
  const run = () => {
    waiting = true
    again = false
    work()
    setTimeout(() => {
      waiting = false
      if (again) run()
    }, ms)
  }
  return () => {
    if (waiting) again = true
    else run()
  }
}
