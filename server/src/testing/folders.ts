import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const make = (prefix = 'bashgym-test-') => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), prefix)))
const remove = (folder: string) => fs.rmSync(folder, { recursive: true, force: true })

/** A folder for one test, removed after it and its `afterEach`. Call it in the test or in `beforeEach`. */
export function newFolder(prefix?: string): string {
  const folder = make(prefix)
  onTestFinished(() => remove(folder))
  return folder
}

/** A folder for the tests of a block, removed after the last of them. */
export function useFolder(): string {
  const folder = make()
  afterAll(() => remove(folder))
  return folder
}
