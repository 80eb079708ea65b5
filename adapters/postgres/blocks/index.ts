export { blockAudits } from './audit.ts'
export { blockFunctions, lockOf, movesFrom, moveType } from './functions.ts'
export { type CrowdedBlock, createBlockTidier } from './tidier.ts'
