import { expect, it } from 'vitest'
import { programPath } from './program-path.ts'

const places = { cwd: '/home/a/project/pkg', userHome: '/home/a', productRoot: '/opt/bashgym', activeEnvironment: undefined }
const kept = (searched: string, more: Partial<typeof places> | { activeEnvironment: string } = {}) =>
  programPath(searched, { ...places, ...more })

it('searches programs in no folder that a project put on the PATH', () => {
  const user = '/home/a/.local/bin:/usr/local/bin:/usr/bin'
  // `npx bashgym` adds the packages of the folder and of those above it
  expect(kept(`/home/a/project/pkg/node_modules/.bin:/home/a/project/node_modules/.bin:/home/node_modules/.bin:${user}`)).toBe(user)
  expect(kept(`.:bin::./node_modules/.bin:/home/a/project/pkg/bin:/home/a/project/pkg/../pkg/x:${user}:`)).toBe(user)
  expect(kept(`/opt/bashgym/node_modules/.bin:${user}`)).toBe(`/opt/bashgym/node_modules/.bin:${user}`)
})

it('keeps the folders of the user, also when the server is started in the home folder', () => {
  for (const cwd of ['/home/a', '/home', '/']) expect(kept('/home/a/bin:/usr/bin', { cwd })).toBe('/home/a/bin:/usr/bin')
  const active = '/home/a/project/pkg/.venv'
  expect(kept(`${active}/bin:/usr/bin`, { activeEnvironment: active })).toBe(`${active}/bin:/usr/bin`)
  expect(kept(`${active}/bin:/usr/bin`)).toBe('/usr/bin')
})
