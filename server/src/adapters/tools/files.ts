import fs from 'node:fs'

/** Whether there is a regular file that this user may use so; a folder that may not be entered and a link into itself lead to none. */
export const isFile = (file: string): boolean => may(file, fs.constants.F_OK)
export const isExecutable = (file: string): boolean => may(file, fs.constants.X_OK)

function may(file: string, mode: number): boolean {
  try {
    fs.accessSync(file, mode)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}
