import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'

describe('the options of a start', () => {
  let root: string
  beforeEach(() => (root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-config-'))))
  afterEach(() => fs.rmSync(root, { recursive: true }))
  const envFile = (text: string) => fs.writeFileSync(path.join(root, '.env'), text)

  it('come from a flag, the environment, the file .env or a default, in this order', () => {
    envFile('BASHGYM_HOME=~/archive\nBASHGYM_PORT=8100\nCLAUDE_CONFIG_DIR=/c/file\nBASE_MODEL="a/b" # mine\n')
    const config = loadConfig({ port: 8300 }, { HOME: '/h', BASHGYM_PORT: '8200', CLAUDE_CONFIG_DIR: '/c/environment' }, root)
    expect(config).toMatchObject({ port: 8300, claudeDir: '/c/environment', dataDir: '/h/archive', baseModel: 'a/b', host: '127.0.0.1' })
    expect(Object.fromEntries(config.origins.map(({ name, origin }) => [name, origin]))).toEqual({
      BASHGYM_PORT: 'flag',
      CLAUDE_CONFIG_DIR: 'environment',
      BASHGYM_HOME: 'file',
      host: 'default',
    })
  })

  it('name the variable, its place and the allowed values if it is not valid', () => {
    expect(() => loadConfig({}, { AUGMENTATION_PROVIDER: 'openai' }, root)).toThrow(
      expect.objectContaining({
        code: 'settings_invalid',
        message: 'The environment variable AUGMENTATION_PROVIDER is not valid: "openai". This must be one of anthropic, nim.',
      }),
    )
    envFile('BASHGYM_LOG=loud\n')
    expect(() => loadConfig({}, {}, root)).toThrow(/BASHGYM_LOG in .*\.env is not valid: "loud"\. .*debug, info, warn, error, silent/)
    envFile('HF_ENDPOINT=hub.example\nBASHGYM_LOG= Debug\nNIM_ENDPOINT=\n')
    expect(() => loadConfig({}, {}, root)).toThrow(/HF_ENDPOINT.*not a web address/)
    expect(loadConfig({}, { HF_ENDPOINT: '' }, root)).toMatchObject({ logLevel: 'debug', hub: { endpoint: null } })
  })
})
