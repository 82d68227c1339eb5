// A vitest reporter for what its JSON report does not contain: uncaught errors, which fail a run, and what a failed assertion compared.
import fs from 'node:fs'

export default class UncaughtErrors {
  #diffs = []

  onTestCaseResult(test) {
    const diff = (test.result().errors ?? []).map(({ diff }) => diff ?? '').join('\n')
    if (diff.trim() !== '') this.#diffs.push({ file: test.module.moduleId, name: test.fullName, diff })
  }

  onTestRunEnd(_modules, errors) {
    const file = process.env.BASHGYM_TEST_ERRORS
    if (file && errors.length + this.#diffs.length > 0)
      fs.writeFileSync(file, JSON.stringify({ errors: errors.map(described), diffs: this.#diffs }))
  }
}

/** `VITEST_TEST_PATH`: the file that ran when the error was noticed. */
const described = ({ stack, message, VITEST_TEST_PATH: file }) => ({ message: stack ?? message, ...(file && { location: { file } }) })
