import { expect, it } from 'vitest'
import { gitRole } from './git.ts'

it.each([
  ['git commit -m "Fix add()"', 'commit'],
  ['git add -A && git commit -m x', 'commit'],
  ['cd sub && git -C .. -c user.name=a commit -am x', 'commit'],
  ['git commit -m "$(cat <<\'EOF\'\nTitle\n\nBody\nEOF\n)"', 'commit'],
  ['env GIT_EDITOR=true git commit --amend', 'commit'],
  ['git push origin main', 'after'],
  ['git status && git log --oneline | head -3', 'after'],
  ['cd /repo; git tag v1', 'after'],
  ['git commit --dry-run', null],
  ['echo git commit', null],
  ['git diff && git status', null],
  ['npm test && git status', null],
  ['grep -rn "git commit" docs', null],
  ['git log && (', null],
])('%s', (command, role) => {
  expect(gitRole(command, true, '')).toBe(role)
})

it('recognises a commit only if it succeeded for certain', () => {
  expect(gitRole('git commit -m x', false, 'nothing to commit')).toBeNull()
  expect(gitRole('git commit -m x', null, null)).toBeNull()
  expect(gitRole('git commit -m x; git push', true, 'Everything up-to-date')).toBe(null)
  expect(gitRole('git commit -m x; git push', true, '[main 1a2b3c4] x\n 1 file changed')).toBe('commit')
})
