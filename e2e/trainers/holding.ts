import fs from 'node:fs'
import path from 'node:path'
import { PYTHON, TRAINERS } from './python.ts'

export interface HoldingPython {
  program: string
  /** Trainers stand still at the end of this step, until a wish or `letGo`; the steps before it are told by then. */
  holdAt(step: number): void
  letGo(): void
}

/** A Python in `folder` whose trainers can be held (server/trainers/tests/holding): no test has to be quicker than they. */
export function holdingPython(folder: string): HoldingPython {
  const place = path.join(folder, 'hold')
  const program = path.join(folder, 'python')
  const more = path.join(TRAINERS, 'tests', 'holding')
  fs.writeFileSync(program, `#!/bin/sh\nBASHGYM_TEST_HOLD='${place}' PYTHONPATH="$PYTHONPATH:${more}" exec '${PYTHON}' "$@"\n`, {
    mode: 0o755,
  })
  return {
    program,
    holdAt: (step) => fs.writeFileSync(place, String(step)),
    letGo: () => fs.rmSync(place),
  }
}
