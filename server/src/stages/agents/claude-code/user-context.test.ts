import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { writeInto } from '../testing-repository.ts'
import { readUserContext } from './user-context.ts'

it('gives an agent what the user has or linked, and nothing that a skill of a stranger links to', async () => {
  const userHome = newFolder()
  const claude = path.join(userHome, '.claude')
  writeInto(userHome, {
    '.ssh/id_rsa': 'secret',
    'dotfiles/CLAUDE.md': 'mine',
    'dotfiles/agents/one.md': 'agent',
    '.agents/skills/linked/SKILL.md': 'linked',
    '.claude/skills/own/SKILL.md': 'own',
    '.claude.json': '{}',
  })
  const link = (target: string, name: string) => fs.symlinkSync(path.join(userHome, target), path.join(claude, name))
  link('dotfiles/CLAUDE.md', 'CLAUDE.md')
  link('dotfiles/agents', 'agents')
  link('.agents/skills/linked', 'skills/linked')
  for (const name of ['skills/ssh', 'skills/own/ssh', 'agents/ssh', 'skills/linked/ssh']) link('.ssh', name)
  for (const name of ['skills/key', 'skills/own/key.md', 'agents/key.md']) link('.ssh/id_rsa', name)
  execFileSync('mkfifo', [path.join(claude, 'skills', 'own', 'fifo'), path.join(claude, 'settings.json')])
  const { files, inputs } = await readUserContext(claude, path.join(userHome, '.claude.json'))
  expect(files.map(({ path: name, content }) => `${name}: ${content.toString()}`).toSorted()).toEqual([
    'CLAUDE.md: mine',
    'agents/one.md: agent',
    'skills/linked/SKILL.md: linked',
    'skills/own/SKILL.md: own',
  ])
  const leftOut = inputs.filter(({ sha256 }) => sha256 === null).map(({ path: name }) => path.relative(claude, name))
  expect(leftOut.toSorted()).toEqual([
    'agents/key.md',
    'agents/ssh',
    'skills/key',
    'skills/linked/ssh',
    'skills/own/key.md',
    'skills/own/ssh',
    'skills/ssh',
  ])
})
