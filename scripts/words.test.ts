import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

let tree: string
beforeEach(() => (tree = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-words-'))))
afterEach(() => fs.rmSync(tree, { recursive: true }))

/** Returns the lines that the check prints for a tree of these files. */
function problemsOf(files: Record<string, string>): string[] {
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(tree, file)), { recursive: true })
    fs.writeFileSync(path.join(tree, file), text)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: tree })
  git('init', '-q')
  git('add', '.')
  const { stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'words.mjs'), tree], { encoding: 'utf8' })
  return stderr.split('\n').filter(Boolean)
}

it('refuses a banned word in a name and reports the line, but allows it in strings, held-out names and exceptions', () => {
  const problems = problemsOf({
    'server/src/a.ts': "export const ok = 'told'\nexport const lastToldAt = 1\nconst isHeldOut = (userHome: string) => userHome\n",
    'server/src/cli/run.ts': "export const options = { home: { type: 'string' } }\n",
    'server/src/b.ts': 'export interface Place { home: string }\n',
  })
  expect(problems).toEqual([
    'server/src/a.ts:2: the name "lastToldAt" contains "told". Use notified, reported, lastSentAt or what it is.',
    expect.stringMatching(/^server\/src\/b\.ts:1: the name "home" contains "home"\. Use dataDir/),
  ])
})

it('refuses a banned word in a Python name, but allows it in strings, comments, library attributes and exceptions', () => {
  const problems = problemsOf({
    'server/a.py': [
      'def send(text):  # as it was told',
      '    """Says what the user\'s "wish" said.',
      '',
      '    It is held."""',
      "    quoted = 'don\\'t say \"told\"'",
      '    library.room = heldout = quoted',
      '    return f"{text} told" # held',
      '',
      'class Trainer:',
      '    def __init__(self):',
      '        self._said_at = None',
      '        self._said_at = 1',
      '        config(num_attention_heads=2, wish=3)',
    ].join('\n'),
    'bench/training.py': 'heads = 2\n',
  })
  expect(problems).toEqual([
    expect.stringMatching(/^server\/a\.py:11: the name "_said_at" contains "said"\. Use text/),
    expect.stringMatching(/^server\/a\.py:13: the name "wish" contains "wish"\. Use requestedAction/),
  ])
})

it('refuses a glossary word with two rows, unless a parenthesis distinguishes them', () => {
  const rows = ['run, attempt | a', 'session | b', 'session (of a sandbox) | c', 'attempt | what was said']
  const problems = problemsOf({ 'a.ts': 'export {}', 'docs/glossary.md': rows.map((row) => `| ${row} |`).join('\n') })
  expect(problems).toEqual([
    expect.stringMatching(/^docs\/glossary\.md:4: "attempt" is defined in line 1 too\./),
    expect.stringMatching(/^docs\/glossary\.md:4: "said" is not a word of ours\./),
  ])
})
