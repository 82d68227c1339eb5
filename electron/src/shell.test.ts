import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readStartArguments } from './arguments.ts'
import { realPathInside } from './ipc/inside.ts'
import { requireTrusted } from './ipc/trusted.ts'
import { productPaths } from './places.ts'
import { statusPage } from './status-page.ts'
import { withVisiblePosition, readWindowState, writeWindowState } from './window-state.ts'

let folder: string
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-shell-')))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const createFile = (...place: string[]) => {
  const file = path.join(folder, ...place)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, '')
  return file
}

describe('the start arguments', () => {
  it('use the data directory of the flag, else of the environment, else in the home folder', () => {
    expect(readStartArguments(['.', '--home', '/a', '--port', '0'], { BASHGYM_HOME: '/b' })).toEqual({
      dataDir: '/a',
      serverArgs: ['--home', '/a', '--port', '0'],
    })
    expect(readStartArguments(['--home=/a', '--port=1'], {}).serverArgs).toEqual(['--home', '/a', '--port', '1'])
    expect(readStartArguments([], { BASHGYM_HOME: '/b' }).dataDir).toBe('/b')
    expect(readStartArguments([], { BASHGYM_HOME: '' }).dataDir).toBe(path.join(os.homedir(), '.bashgym'))
  })

  it('pass no other arguments to the server', () => {
    expect(
      readStartArguments(['--remote-debugging-port=1', 'bashgym://x', '--host', '0.0.0.0'], { BASHGYM_HOME: '/b' }).serverArgs,
    ).toEqual(['--home', '/b'])
  })
})

describe('the product paths', () => {
  it('are next to each other in a checkout', () => {
    const node = createFile('node_modules', 'node', 'bin', 'node')
    expect(productPaths({ appPath: folder, resourcesPath: '/elsewhere', isPackaged: false, platform: 'linux' })).toMatchObject({
      node,
      serverEntry: path.join(folder, 'dist', 'server', 'main.js'),
      preload: path.join(folder, 'dist', 'electron', 'preload.cjs'),
    })
  })

  it('are under the resources folder in a package', () => {
    const node = createFile('node', 'node.exe')
    const places = productPaths({ appPath: '/app.asar', resourcesPath: folder, isPackaged: true, platform: 'win32' })
    expect(places).toMatchObject({ node, serverEntry: path.join(folder, 'server', 'dist', 'server', 'main.js') })
  })

  it('are refused without Node, with an error that says what to do', () => {
    const options = { appPath: folder, resourcesPath: folder, platform: 'linux' } as const
    expect(() => productPaths({ ...options, isPackaged: false })).toThrow('npm ci')
    expect(() => productPaths({ ...options, isPackaged: true })).toThrow('Install Bash Gym again')
  })
})

describe('the window', () => {
  it('opens in the state that was saved', () => {
    const file = path.join(folder, 'deep', 'window.json')
    const state = { width: 1000, height: 700, x: 10, y: 20, isMaximized: true }
    writeWindowState(file, state)
    expect(readWindowState(file)).toEqual(state)
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  })

  it.each(['', '{"width":1', '{"width":1e9,"height":700}', '{"width":"1000","height":700}', 'null', '[]'])(
    'opens in the default state if the file contains %j',
    (text) => {
      const file = createFile('window.json')
      fs.writeFileSync(file, text)
      expect(readWindowState(file)).toEqual({ width: 1440, height: 900 })
    },
  )

  it('ignores a saved position that is on no screen', () => {
    const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }]
    const size = { width: 1000, height: 700, isMaximized: false }
    expect(withVisiblePosition({ ...size, x: 100, y: 100 }, screens)).toEqual({ ...size, x: 100, y: 100 })
    expect(withVisiblePosition({ ...size, x: -900, y: 0 }, screens)).toEqual({ ...size, x: -900, y: 0 })
    expect(withVisiblePosition({ ...size, x: 2500, y: 100 }, screens)).toEqual(size)
    expect(withVisiblePosition({ ...size, x: 100, y: -40 }, screens)).toEqual(size)
    expect(withVisiblePosition(size, [])).toEqual(size)
  })
})

describe('a caller of the shell', () => {
  const frame = (url: string, parent: object | null = null) => ({ senderFrame: { url, parent } }) as Parameters<typeof requireTrusted>[0]
  const origin = 'http://127.0.0.1:8002'

  it('is trusted as the top frame of a page of the server', () => {
    expect(() => requireTrusted(frame(`${origin}/traces`), origin)).not.toThrow()
  })

  it.each([
    ['a frame in a page', frame(`${origin}/`, {}), origin],
    ['another origin', frame('http://127.0.0.1:8003/'), origin],
    ['a similar host name', frame('http://127.0.0.1:8002.example.org/'), origin],
    ['a page of the shell', frame('data:text/html,x'), origin],
    ['no address', frame(''), origin],
    ['a closed frame', { senderFrame: null }, origin],
    ['every caller before the server is ready', frame(`${origin}/`), null],
  ])('is refused: %s', (_name, event, allowed) => {
    expect(() => requireTrusted(event, allowed)).toThrow('may not call')
  })
})

describe('a file to show in its folder', () => {
  it('is allowed if it exists inside the data directory', () => {
    const file = createFile('home', 'exports', '..odd name.jsonl')
    expect(realPathInside(path.join(folder, 'home'), file)).toBe(file)
  })

  it('is refused outside the data directory, even through a link or a relative path', () => {
    const outside = createFile('secret.txt')
    const dataDir = path.dirname(createFile('home', 'token'))
    fs.symlinkSync(outside, path.join(dataDir, 'link'))
    fs.symlinkSync('circle', path.join(dataDir, 'circle'))
    for (const wanted of [
      outside,
      path.join(dataDir, '..', 'secret.txt'),
      path.join(dataDir, 'link'),
      path.join(dataDir, 'absent'),
      path.join(dataDir, 'circle'),
      'token',
      '/',
    ])
      expect({ wanted, place: realPathInside(dataDir, wanted) }).toEqual({ wanted, place: null })
  })
})

describe('a page of the shell', () => {
  it('shows text as text and may run nothing', () => {
    const html = decodeURIComponent(statusPage({ title: 'T', text: `<img src=x onerror="alert('1')">` }).replace(/^[^,]*,/, ''))
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;')
    expect(html).toContain(`default-src 'none'`)
    expect(html).not.toContain('<a ')
  })

  it('shows text in backticks as code, and its link in the accent colour', () => {
    const page = decodeURIComponent(statusPage({ title: 'T', text: 'Run `bashgym <doctor>`.', retry: 'Try again' }))
    expect(page).toContain('Run <code>bashgym &lt;doctor&gt;</code>.')
    const tokens = fs.readFileSync(path.join(import.meta.dirname, '../../renderer/src/ui/tokens.css'), 'utf8')
    const [, light, dark] = /--accent: light-dark\((#\w+), (#\w+)\)/.exec(tokens)!
    expect(page).toContain(`color:${light!}`)
    expect(page).toContain(`color:${dark!}`)
  })
})
