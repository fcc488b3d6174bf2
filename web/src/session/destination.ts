import type { Mode, Session } from '../api/types.ts';

type Installation = Pick<Session, 'whatsapp_simulated'>;

/** Who gets the messages of a mode. Under `npm start` the simulator gets those of live keys too. */
export const destinationOf = (mode: Mode, session: Installation): 'whatsapp' | 'simulator' =>
  mode === 'live' && !session.whatsapp_simulated ? 'whatsapp' : 'simulator';

/** Where the messages of a mode go, and whether they cost anything. */
export function sendingWords(mode: Mode, session: Installation): string {
  if (destinationOf(mode, session) === 'whatsapp') {
    return 'Sends to real people through WhatsApp. Charges apply.';
  }
  return mode === 'live'
    ? 'The key is live, but the account sends to the simulator: nothing leaves this machine, and nothing is charged.'
    : 'Sends to the simulator, free.';
}
