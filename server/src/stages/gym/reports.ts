import type { ReportTo } from '#contracts/train-knobs.ts'

/** Variables with the address and key of each reporter. Keys are never settings. */
const VARIABLES: Partial<Record<keyof ReportTo, RegExp>> = {
  wandb: /^WANDB_(API_KEY|BASE_URL|PROJECT|ENTITY|MODE)$/,
  mlflow: /^MLFLOW_(TRACKING_(URI|USERNAME|PASSWORD|TOKEN)|EXPERIMENT_NAME)$/,
}

/** Extra environment variables for the reporters that the user switched on. Other reporters' keys are not included. */
export function reportEnv(
  reportTo: ReportTo,
  { reporters, network }: { reporters: Readonly<Record<string, string>>; network: Readonly<Record<string, string>> },
): Record<string, string> {
  const chosen = Object.entries(VARIABLES).filter(([name]) => reportTo[name as keyof ReportTo])
  if (chosen.length === 0) return {}
  const reporterVariables = Object.entries(reporters).filter(([variable]) => chosen.some(([, pattern]) => pattern.test(variable)))
  const networkVariables = Object.entries(network).filter(([variable]) => !variable.startsWith('PIP_'))
  // child processes start with wandb disabled
  const overrides: Record<string, string> = reportTo.wandb ? { WANDB_DISABLED: 'false', WANDB_MODE: 'online' } : {}
  return { ...Object.fromEntries(networkVariables), ...overrides, ...Object.fromEntries(reporterVariables) }
}
