import type { ClientChange } from '#contracts/entities/router.ts'
import { AppError } from '#contracts/errors.ts'
import { createClientEnv } from '../../capture/index.ts'

const ADDRESS = 'ANTHROPIC_BASE_URL'

export interface ProxySettingDeps {
  dataDir: string
  settingsFile: string
  /** The proxy's address while it is on; null while it is off. */
  address: () => string | null
  /** The secret part of the address, by which ours is known whatever its port is. */
  token: () => string
  upstream: () => string
}

/** The proxy in the client's own settings, for all its sessions. */
export function createProxySetting({ dataDir, settingsFile, address, token, upstream }: ProxySettingDeps) {
  const env = createClientEnv({ dataDir, settingsFile, now: Date.now })
  const isOn = () => env.get(ADDRESS)?.endsWith(`/${token()}`) === true

  function obstacle(): string | null {
    if (address() === null) return 'The proxy is off.'
    const current = env.get(ADDRESS)
    if (current === null || isOn() || sameAddress(current, upstream())) return null
    return `${env.settingsFile} already sends Claude Code to ${current}. Enter this address for Anthropic in Settings → Providers first, so that the proxy passes requests on to it.`
  }
  const report = (): ClientChange => {
    const on = isOn()
    const { settingsFile: file, exists, diff } = env.preview(ADDRESS, on ? null : (address() ?? 'http://127.0.0.1'))
    return { isOn: on, settingsFile: file, exists, diff: on || address() !== null ? diff : '', obstacle: on ? null : obstacle() }
  }
  return {
    report,
    isOn,
    set(on: boolean): ClientChange {
      if (!on && isOn()) env.set(ADDRESS, null)
      if (on && !isOn()) {
        const reason = obstacle()
        if (reason !== null) throw new AppError('client_settings_invalid', { message: `${reason} Nothing was changed.` })
        env.set(ADDRESS, address())
      }
      return report()
    },
    /** After the proxy went off or moved to another port: a session must not be left with an address that nobody answers. */
    follow(): void {
      const now = address()
      if (isOn() && env.get(ADDRESS) !== now) env.set(ADDRESS, now)
    },
  }
}

const sameAddress = (one: string, other: string): boolean => one.replace(/\/+$/, '') === other.replace(/\/+$/, '')
