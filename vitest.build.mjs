// Before the unit tests, and before each time that they run again: dist/ is what the sources are now.
import { ensureBuilt } from './scripts/lib/setup.mjs'

export default function setup(project) {
  const build = () => ensureBuilt({ log: (line) => process.stdout.write(`${line}\n`) })
  build()
  project.onTestsRerun(build)
}
