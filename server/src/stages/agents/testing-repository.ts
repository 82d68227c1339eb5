import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** For tests: a repository with one commit of these files. */
export function makeRepository(root: string, files: Record<string, string>): string {
  const folder = fs.mkdtempSync(path.join(root, 'repository-'))
  writeInto(folder, files)
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.invalid', ...args])
  git('init', '--quiet', '--initial-branch=trunk')
  git('add', '--all')
  git('commit', '--quiet', '--message=start')
  return folder
}

export function writeInto(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), text)
  }
}
