import type { EnvironmentSpec } from '#contracts/entities/environment.ts'

export const FORM_WORDS: Record<EnvironmentSpec['form'], string> = { terminal: 'Tool calls', command: 'Plain commands' }

export const REWARD_WORDS: Record<EnvironmentSpec['reward'], string> = { fraction: 'Share of checks', 'shell-v1': 'shell-v1' }
