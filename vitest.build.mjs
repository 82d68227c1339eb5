// Before the unit tests, and before each time that they run again: dist/ is what the sources are now.
import { ensureBuilt } from './scripts/lib/setup.mjs'

export default function setup(project) {
  const build = () => ensureBuilt({ log: console.log })
  build()
  project.onTestsRerun(build)
}
