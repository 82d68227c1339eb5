import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { createHooks, hooksOnFile } from './index.ts'

it('answers the four hook routes as in their contracts', async () => {
  const root = newFolder()
  const options = {
    hookSource: path.resolve(import.meta.dirname, '../../../../../hooks/bashgym-hook.sh'),
    clientVersion: () => Promise.resolve(null),
    now: Date.now,
    managedFolders: [],
    platform: 'linux' as const,
  }
  const { routes } = createHooks({ ...options, dataDir: path.join(root, 'home'), claudeDir: path.join(root, 'claude') })
  const call = async (name: string, query?: unknown) => {
    const found = routes.find(({ route }) => route.name === name)!
    const input = {
      params: undefined,
      query,
      body: {},
      signal: new AbortController().signal,
      who: 'user',
      caller: { kind: 'owner' as const },
    }
    return found.route.response!.parse(await found.handle(input as never)) as Record<string, unknown>
  }
  expect(await call('getHooks')).toMatchObject({ installed: false, clientVersion: null, problems: [{ kind: 'client_unknown' }] })
  expect(await call('previewHooks', { action: 'install' })).toMatchObject({ exists: false, changed: true })
  expect(await call('installHooks')).toMatchObject({ installed: true, changed: true, backupFile: null })
  expect(await call('uninstallHooks')).toMatchObject({ installed: false, changed: true })

  const file = path.join(root, 'project.json')
  const onFile = hooksOnFile(options)
  expect(await onFile('install', file, path.join(root, 'home'))).toMatchObject({ installed: true, settingsFile: file })
  expect(await onFile('status', file, path.join(root, 'home'))).toMatchObject({ installed: true, changed: false })
  expect(await onFile('uninstall', file, path.join(root, 'home'))).toMatchObject({ installed: false })
  expect(fs.readdirSync(root).toSorted()).toEqual(['claude', 'home'])
})
