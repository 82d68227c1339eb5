import type { LoopArrow, LoopStage, LoopStageId } from './entities/loop.ts'

export const LOOP_LABELS: Readonly<Record<LoopStageId, string>> = {
  captured: 'Captured',
  decided: 'Decided',
  dataset: 'In a data set',
  trained: 'Trained on',
  proven: 'Proven',
  used: 'In use',
}

export const stageCount = ({ sessions }: Pick<LoopStage, 'sessions'>): string =>
  sessions === null ? 'not measured' : sessions.toLocaleString('en-US')

/** "28 %", such that only all is 100 % and only none is 0 %. */
export function arrowShare({ share }: Pick<LoopArrow, 'share'>): string {
  if (share === null) return 'not measured'
  if (share === 0 || share === 1) return `${share * 100} %`
  return share < 0.01 ? '< 1 %' : share > 0.99 ? '> 99 %' : `${Math.round(share * 100)} %`
}
