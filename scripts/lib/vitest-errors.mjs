// A vitest reporter for uncaught errors: they fail a run, but vitest's JSON report does not contain them.
import fs from 'node:fs'

export default class UncaughtErrors {
  onTestRunEnd(_modules, errors) {
    const file = process.env.BASHGYM_TEST_ERRORS
    if (file && errors.length > 0) fs.writeFileSync(file, JSON.stringify({ errors: errors.map(described) }))
  }
}

/** `VITEST_TEST_PATH`: the file that ran when the error was noticed. */
const described = ({ stack, message, VITEST_TEST_PATH: file }) => ({ message: stack ?? message, ...(file && { location: { file } }) })
