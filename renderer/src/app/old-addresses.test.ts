import { expect, test } from 'vitest'
import { movedTo } from './old-addresses.ts'

test.each([
  ['/arena', '/sandboxes'],
  ['/arena/', '/sandboxes/'],
  ['/arena/5f0c', '/sandboxes/5f0c'],
  ['/arena/tasks', '/agents'],
  ['/arena/tasks/new', '/agents/tasks/new'],
  ['/arena/batches/abc', '/agents/batches/abc'],
  ['/arena/checks', '/agents/checks'],
  ['/arena/shell-tasks', '/shell-tasks'],
  ['/arena/shell-tasks/new/generate', '/shell-tasks/new/generate'],
  ['/arena/shell-tasks/from/abc', '/shell-tasks/from/abc'],
  ['/arena/shell-tasks/new', '/shell-tasks/tasks/new'], // a task of that name
  ['/arena/shell-tasks/rollouts', '/shell-tasks/tasks/rollouts'],
  ['/arena/rollouts/abc/0', '/shell-tasks/rollouts/abc/0'],
  ['/arena/environments', '/shell-tasks/environments'],
  ['/settings/arena', '/settings/sandboxes'],
  ['/arenas', null],
  ['/agents/arena', null],
])('%s is now %s', (path, now) => {
  expect(movedTo(path)).toBe(now)
})
