/** Runs `work` at once, then at most once per `ms`: the calls in between become one at the end of the wait. */
export function coalesce(work: () => void, ms: number): () => void {
  let waiting = false
  let calledMeanwhile = false
  const run = () => {
    waiting = true
    calledMeanwhile = false
    work()
    setTimeout(() => {
      waiting = false
      if (calledMeanwhile) run()
    }, ms)
  }
  return () => {
    if (waiting) calledMeanwhile = true
    else run()
  }
}
