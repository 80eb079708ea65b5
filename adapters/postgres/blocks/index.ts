export { blockAudits } from './audit.ts'
export { type CrowdedBlock, createBlockTidier } from './tidier.ts'
