import { ControlError, type ControlRequest, jsonBody, objectWith } from './control-request.js';
import type { SimulatorState } from './state.js';

const answerTimeoutMs = 10_000;

/** How the receiver answered the handshake. */
interface Handshake {
  /** Whether it answered 200 with the challenge: the platform then keeps its address. */
  confirmed: boolean;
  /** Null: it did not answer. */
  status: number | null;
}

/** Calls the receiver of webhooks as the platform does when somebody presses "Verify and save". */
export const handleHandshake = async (
  state: SimulatorState,
  request: ControlRequest,
): Promise<Handshake> => {
  const { verify_token: token } = objectWith(jsonBody(request), ['verify_token']);
  if (typeof token !== 'string') throw new ControlError('verify_token must be a string');
  if (state.webhooks === null) {
    throw new ControlError('there is no receiver of webhooks: set SIMULATOR_WEBHOOK_URL', 409);
  }
  const challenge = String(Math.floor(Math.random() * 1e9));
  const url = new URL(state.webhooks.url);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.challenge', challenge);
  url.searchParams.set('hub.verify_token', token);
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) });
    const confirmed = (await response.text()) === challenge && response.status === 200;
    return { confirmed, status: response.status };
  } catch {
    return { confirmed: false, status: null };
  }
};
