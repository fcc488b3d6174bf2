import { dayMs } from '#libs/durations';
import { objectWith } from './control-request.js';
import type { Conversations } from './conversations.js';
import type { SendPlan } from './rules.js';
import type { ValidSend } from './send-validation.js';
import { type User, type Users, type WindowMode, windowModeIn } from './users.js';

/** Parts of a send that decide about it. */
interface Sending {
  readonly send: ValidSend;
  readonly phoneNumberId: string;
  /** Digits of the recipient. */
  readonly digits: string;
  /** What faults have in store for it. */
  readonly plan: SendPlan | null;
}

/** The code of a message that came after the window. */
export const windowClosedCode = 131047;

/** The platform's 24-hour window: off, until somebody asks for it. */
export class Windows {
  private ofAll: WindowMode = 'off';

  constructor(
    private readonly users: Users,
    private readonly conversations: Conversations,
  ) {}

  /** Sets what holds for every user without a setting of their own. Throws a `ControlError`. */
  put(body: unknown): { window: WindowMode } {
    this.ofAll = windowModeIn(objectWith(body, ['window']).window);
    return this.shown();
  }

  shown(): { window: WindowMode } {
    return { window: this.ofAll };
  }

  /** What holds for a user, and whether the window to a business number is open. */
  shownOf(user: User, phoneNumberId: string): { window: WindowMode; is_open: boolean } {
    return { window: this.modeOf(user), is_open: this.isOpen(user, phoneNumberId) };
  }

  /**
   * What the window does to a valid send: `off` if it lets it pass. A fault that ends the send, or
   * that makes it fail, comes first.
   */
  effectOn({ send, phoneNumberId, digits, plan }: Sending): WindowMode {
    if (this.ofAll === 'off' && !this.users.hasWindows) return 'off';
    // Groups have no user; a lost message reaches nobody who could have written.
    if (send.type === 'template' || send.addressing === 'group' || send.isLost) return 'off';
    if (plan !== null && (plan.ending !== null || plan.statuses.failedCode !== undefined)) {
      return 'off';
    }
    const user =
      send.addressing === 'user-id' ? this.users.byUserId(send.input) : this.users.byPhone(digits);
    const mode = this.modeOf(user);
    if (mode === 'off') return 'off';
    return this.isOpen(user, phoneNumberId) ? 'off' : mode;
  }

  private isOpen(user: User, phoneNumberId: string): boolean {
    return this.conversations.hasWritten(user, phoneNumberId, Date.now() - dayMs);
  }

  private modeOf(user: User): WindowMode {
    return user.window === 'off' ? this.ofAll : user.window;
  }
}
