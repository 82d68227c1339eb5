import fs from 'node:fs'
import path from 'node:path'
import { PYTHON, TRAINERS } from './python.ts'

export interface HoldingPython {
  program: string
  /** Trainers pause at the end of this step, until a requested action or `letGo`; earlier steps are reported by then. */
  holdAt(step: number): void
  letGo(): void
}

/** Creates a Python in `folder` whose trainers can be paused (server/trainers/tests/holding), so that tests need not race them. */
export function holdingPython(folder: string, python = PYTHON): HoldingPython {
  const place = path.join(folder, 'hold')
  const program = path.join(folder, 'python')
  const more = path.join(TRAINERS, 'tests', 'holding')
  fs.writeFileSync(program, `#!/bin/sh\nBASHGYM_TEST_HOLD='${place}' PYTHONPATH="$PYTHONPATH:${more}" exec '${python}' "$@"\n`, {
    mode: 0o755,
  })
  return {
    program,
    holdAt: (step) => fs.writeFileSync(place, String(step)),
    letGo: () => fs.rmSync(place),
  }
}
