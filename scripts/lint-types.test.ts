import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

it('the linter reports type errors, and Node types where a project has none', () => {
  const tree = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-lint-')))
  try {
    fs.writeFileSync(
      path.join(tree, 'tsconfig.json'),
      JSON.stringify({ extends: path.join(root, 'tsconfig.base.json'), include: ['*.ts'] }),
    )
    fs.writeFileSync(path.join(tree, 'wrong.ts'), "export const wrong: number = 'text'\nexport const pid = process.pid\n")
    const { status, stdout } = spawnSync(
      path.join(root, 'node_modules', '.bin', 'oxlint'),
      ['--type-aware', '--type-check', '--config', path.join(root, '.oxlintrc.json'), tree],
      { encoding: 'utf8', cwd: tree },
    )
    expect(status).not.toBe(0)
    expect(stdout).toContain('TS2322')
    expect(stdout).toMatch(/TS2580|TS2591/)
  } finally {
    fs.rmSync(tree, { recursive: true })
  }
})
