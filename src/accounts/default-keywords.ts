/** How many words an account has at most, to opt out and to opt in each. */
export const keywordsMax = 100;

/**
 * What new accounts begin with: the words that users of the languages with the most users write. One is missing if it
 * is a usual answer to something else, such as "no", and Spanish "alto", which is also "tall". Case and accents do not
 * matter; blanks and hyphens do.
 */
const outByLanguage = {
  en: [
    'stop',
    'stopall',
    'stop all',
    'unsubscribe',
    'optout',
    'opt out',
    'opt-out',
    'cancel',
    'end',
    'quit',
    'revoke',
  ],
  es: ['baja', 'dar de baja', 'darme de baja', 'parar', 'cancelar', 'cancelar suscripción'],
  pt: ['sair', 'pare', 'descadastrar', 'cancelar inscrição'],
  hi: ['बंद करें', 'बंद करो', 'रोकें', 'रोको'],
  id: ['berhenti', 'berhenti berlangganan', 'hentikan'],
  ar: ['إيقاف', 'أوقف', 'توقف', 'إلغاء', 'إلغاء الاشتراك'],
  de: ['stopp', 'abmelden', 'abbestellen'],
  fr: ['arrêt', 'arrêter', 'désabonner', 'me désabonner', 'se désabonner', 'désinscrire'],
  it: ['cancella', 'cancellami', 'disiscrivi', 'disiscrivimi', 'disiscriviti'],
  tr: ['dur', 'durdur', 'iptal', 'abonelikten çık'],
  ru: ['стоп', 'отписаться', 'отписка'],
} as const;

/** The words of new accounts by which users opt out and in. */
export const defaultKeywords = {
  out: Object.values(outByLanguage).flat(),
  in: ['start', 'unstop'],
};
