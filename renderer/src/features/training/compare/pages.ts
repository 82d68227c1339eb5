export { default as MatrixPage } from '../matrix/matrix.tsx'
export { default as CompareRuns } from './compare.tsx'
