import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { overHttp } from '#server/cli/connect.ts'
import { startTestServer } from '#server/testing/server.ts'

it('asks for the repository that has the history of a linked working tree', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { userHome } = server.config
  const git = (at: string, ...args: string[]) => execFileSync('git', ['-C', at, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { stdio: 'pipe' }) // prettier-ignore
  const treeOf = (name: string) => {
    const [main, tree] = [path.join(userHome, name), path.join(userHome, `tree-of-${path.basename(name)}`)]
    fs.mkdirSync(main, { recursive: true })
    git(main, 'init', '-q')
    git(main, 'commit', '-qm', 'first', '--allow-empty')
    git(main, 'worktree', 'add', '-q', tree)
    return tree
  }
  const { url } = await server.client.createSignInLink()
  const { key } = await server.client.openSession({ body: { secret: new URL(url).hash.replace('#secret=', '') } })
  const { client } = overHttp(server.url, key)
  const codeFor = (directory: string) => client.findChecks({ body: { directory } }).then(() => null, (error: { code: string }) => error.code) // prettier-ignore
  expect([await codeFor(treeOf('work')), await codeFor(treeOf('.private/main'))]).toEqual([null, 'confirmation_required'])
})
