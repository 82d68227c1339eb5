import { expect, it } from 'vitest'
import { createToolchains } from './toolchains.ts'

it('finds Go and Rust outside /usr, and gives a sandbox only their folders', async () => {
  const printed: Record<string, string> = {
    '/home/a/go/bin/go': '/usr/local/go\n/no/such/folder\ndirect',
    '/home/a/.cargo/bin/rustc': '/etc',
  }
  const toolchains = createToolchains({
    find: (name) => Object.keys(printed).find((program) => program.endsWith(`/${name}`)) ?? null,
    outputOf: async (program) => printed[program] ?? null,
    userHome: '/no/such/home',
  })
  const [go, cargo, general, image] = await Promise.all([
    toolchains.of('go', { backend: 'bubblewrap' }, '/'),
    toolchains.of('cargo', { backend: 'bubblewrap' }, '/'),
    toolchains.of('command', { backend: 'bubblewrap' }, '/'),
    toolchains.of('go', { backend: 'docker' }, '/'),
  ])
  expect(go).toEqual({ folders: [], env: { PATH: '/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin' } })
  expect(cargo).toEqual({ folders: ['/etc'], env: { PATH: '/etc/bin:/usr/local/bin:/usr/bin:/bin' } })
  expect(general).toEqual({ folders: ['/etc'], env: { PATH: '/usr/local/go/bin:/etc/bin:/usr/local/bin:/usr/bin:/bin' } })
  expect(image).toEqual({ folders: [], env: {} })
})
