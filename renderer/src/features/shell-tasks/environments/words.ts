import type { EnvironmentSpec } from '#contracts/entities/environment.ts'

export const REWARD_WORDS: Record<EnvironmentSpec['reward'], string> = { fraction: 'Share of checks', 'shell-v1': 'shell-v1' }
