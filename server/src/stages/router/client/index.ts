import { implement } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/router.ts'
import type { RouterSettings } from '#contracts/settings/router.ts'
import type { Core } from '#server/core.ts'
import { createModInstaller, type ModInstallerOptions } from '../mod/installer.ts'
import { createProxySetting } from './proxy-setting.ts'

interface ClientDeps {
  mod: ModInstallerOptions
  settings: () => Pick<RouterSettings, 'proxy' | 'proxyPort'>
  token: () => string
  upstream: () => string
}

/** What is installed into the user's Claude Code, or set there: the mod, its place before others, the address of the proxy. */
export function createClientParts({ log }: Pick<Core, 'log'>, { mod, settings, token, upstream }: ClientDeps) {
  const installer = createModInstaller(mod)
  const proxySetting = createProxySetting({
    dataDir: mod.dataDir,
    settingsFile: mod.settingsFile,
    address: () => (settings().proxy ? `http://127.0.0.1:${settings().proxyPort}/${token()}` : null),
    token,
    upstream,
  })
  return {
    mod: { report: () => installer.report(), install: () => installer.install(), others: () => installer.others() },
    /** Whether the settings send sessions to the proxy; not if they cannot be read, which is said where they are changed. */
    isClientSent(): boolean {
      try {
        return proxySetting.isOn()
      } catch {
        return false
      }
    },
    /** After the proxy went on, off, or to another port. */
    proxyChanged(): void {
      try {
        proxySetting.follow()
      } catch (error) {
        log.error({ err: error }, 'The address of the proxy was not changed in the settings of Claude Code')
      }
    },
    routes: [
      implement(routes.previewMod, ({ query }) => installer.preview(query.action)),
      implement(routes.installMod, () => installer.install()),
      implement(routes.uninstallMod, () => installer.uninstall()),
      implement(routes.getModFirst, () => installer.first()),
      implement(routes.setModFirst, ({ body }) => installer.putFirst(body.on)),
      implement(routes.getClientProxy, () => proxySetting.report()),
      implement(routes.setClientProxy, ({ body }) => proxySetting.set(body.on)),
    ],
  }
}
