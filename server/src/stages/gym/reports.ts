import type { ReportTo } from '#contracts/train-knobs.ts'

/** Variables with the address and key of reporters: a key is never a setting. */
const TAKEN: Partial<Record<keyof ReportTo, RegExp>> = {
  wandb: /^WANDB_(API_KEY|BASE_URL|PROJECT|ENTITY|MODE)$/,
  mlflow: /^MLFLOW_(TRACKING_(URI|USERNAME|PASSWORD|TOKEN)|EXPERIMENT_NAME)$/,
}

/**
 * What a trainer's environment has more for the reporters that the user switched on. Nobody else's key is in it, and without
 * a switch nothing is.
 */
export function reportEnv(
  reportTo: ReportTo,
  { reporters, network }: { reporters: Readonly<Record<string, string>>; network: Readonly<Record<string, string>> },
): Record<string, string> {
  const chosen = Object.entries(TAKEN).filter(([name]) => reportTo[name as keyof ReportTo])
  if (chosen.length === 0) return {}
  const taken = Object.entries(reporters).filter(([variable]) => chosen.some(([, pattern]) => pattern.test(variable)))
  const way = Object.entries(network).filter(([variable]) => !variable.startsWith('PIP_'))
  // the environment of our children switches it off, for all others
  const open: Record<string, string> = reportTo.wandb ? { WANDB_DISABLED: 'false', WANDB_MODE: 'online' } : {}
  return { ...Object.fromEntries(way), ...open, ...Object.fromEntries(taken) }
}
