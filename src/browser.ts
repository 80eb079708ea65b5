/*
 * Bundlers for pages find this file in place of `laurels`, by the condition `browser`. It has the names of the main entry, because
 * a build would otherwise end with a missing export, and without the text that says what to import.
 */
function refuseInPage(): never {
  throw new Error(
    'laurels runs on servers. In a page, import laurels/client, laurels/react or laurels/elements: they call your server.',
  )
}

export const createGamification: () => never = refuseInPage
export const defineGame: () => never = refuseInPage
export const GamificationError: () => never = refuseInPage
export const httpStatus: () => never = refuseInPage
export const isGamificationError: () => never = refuseInPage
