import fs from 'node:fs'

/** Whether a path leads to a regular file; false if this user may not enter a folder of the path. */
export const isFile = (file: string): boolean => isAccessibleFile(file, fs.constants.F_OK)
export const isExecutable = (file: string): boolean => isAccessibleFile(file, fs.constants.X_OK)

function isAccessibleFile(file: string, mode: number): boolean {
  try {
    fs.accessSync(file, mode)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}
