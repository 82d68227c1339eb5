// A vitest reporter for uncaught errors: they fail a run, but vitest's JSON report does not contain them.
import fs from 'node:fs'

export default class UncaughtErrors {
  onTestRunEnd(_modules, errors) {
    const file = process.env.BASHGYM_TEST_ERRORS
    if (file && errors.length > 0)
      fs.writeFileSync(file, JSON.stringify({ errors: errors.map(({ stack, message }) => ({ message: stack ?? message })) }))
  }
}
