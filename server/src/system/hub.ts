import path from 'node:path'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { HubStatus } from '#contracts/entities/base-model.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/base-models.ts'
import { HubSettings } from '#contracts/settings/training.ts'
import { type Endpoint, endpointOf, loginToken } from '#server/adapters/hub/index.ts'
import { createKeyFile } from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import type { Confirmations } from './confirmations/confirmations.ts'

export interface HubDeps {
  settings: () => HubSettings
  confirmations: Pick<Confirmations, 'require'>
}

/** Name of the token in the key file. */
const KEY = 'huggingface'
const DEFAULT_ENDPOINT = HubSettings.parse({}).endpoint
const tokenChange = (to: string) => ({ what: 'Access token of the model hub', from: 'the saved token', to })

/** Address, token and folder for downloads of base models. The environment overrides settings and saved keys. */
export function createHubAccess({ config, paths }: Pick<Core, 'config' | 'paths'>, { settings, confirmations }: HubDeps) {
  const keys = createKeyFile(paths.providerKeys)
  const address = () => config.hub.endpoint ?? settings().endpoint
  /** The token of `hf auth login`, which is only sent to the default hub. */
  const login = () => (address() === DEFAULT_ENDPOINT ? loginToken(config.hub.tokenFile) : null)
  const token = () => config.hub.token ?? keys.get(KEY) ?? login()
  const folder = () => {
    const named = settings().folder
    return path.isAbsolute(named) ? path.normalize(named) : config.hubCache
  }
  const open = (): Endpoint => endpointOf(address(), token())
  const status = (): HubStatus => ({
    endpoint: address(),
    endpointVariable: config.hub.endpoint === null ? null : 'HF_ENDPOINT',
    folder: folder(),
    tokenFrom: config.hub.token !== null ? 'environment' : keys.get(KEY) !== null ? 'saved' : login() !== null ? 'login' : null,
    problem: problemOf(open),
  })
  const refuseEnvironment = () => {
    if (config.hub.token !== null)
      throw new AppError('settings_read_only', { message: 'The access token is set by HF_TOKEN and cannot be changed here.' })
  }
  const implementations: Implementation[] = [
    implement(routes.getHub, status),
    implement(routes.setHubToken, ({ body, caller }) => {
      refuseEnvironment()
      if (keys.get(KEY) !== null)
        confirmations.require(caller, [tokenChange(`another token (${body.token.length} characters)`)], { exactly: body.token })
      keys.set(KEY, body.token)
      return status()
    }),
    implement(routes.deleteHubToken, ({ caller }) => {
      refuseEnvironment()
      if (keys.get(KEY) !== null) confirmations.require(caller, [tokenChange('no token')])
      keys.remove(KEY)
      return status()
    }),
  ]
  return { routes: implementations, open, folder }
}

function problemOf(open: () => Endpoint): string | null {
  try {
    open()
    return null
  } catch (error) {
    return (error as Error).message
  }
}
