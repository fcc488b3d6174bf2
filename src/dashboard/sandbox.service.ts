import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { request } from 'undici';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { Config } from '../config/config.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { AppError, noSuch, unavailable, validationError } from '../errors/app-error.js';
import { isGiven } from '../http/validation/rules.js';
import type {
  SimulatorConversationDto,
  SimulatorConversationQueryDto,
  SimulatorEchoDto,
  SimulatorInboundDto,
  SimulatorMessagesDto,
  SimulatorNewUserIdDto,
  SimulatorNumberAnswerDto,
  SimulatorNumberChangeDto,
  SimulatorPhonesDto,
  SimulatorPhonesQueryDto,
  SimulatorReplyDto,
  SimulatorUserAnswerDto,
  SimulatorUserChangeDto,
  SimulatorUserQueryDto,
} from './sandbox.dto.js';
import * as sql from './sandbox.statements.js';

const timeoutMs = 5_000;

/** How many of the simulator's messages are searched for one. */
const searchMax = 20_000;

interface SimulatorMessage {
  readonly id: string | null;
  readonly phone_number_id: string;
}

/** A user as the simulator knows them. */
interface KnownUser {
  readonly user_id: string;
  readonly username: string | null;
  readonly hides_phone: boolean;
  /** Ids of business numbers. */
  readonly stopped_marketing: readonly string[];
  readonly signed_up: readonly string[];
}

/** The sandbox phone's way to the simulator. Users see and touch what their account's numbers sent. */
@Injectable()
export class SandboxService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly deliveries: DeliveriesService,
  ) {}

  /** @throws AppError NOT_FOUND where there is no simulator, SERVICE_UNAVAILABLE */
  async messages(user: SignedInUser, { to, after }: SimulatorMessagesDto) {
    return { messages: await this.visible(user, `to=${to?.slice(1) ?? ''}&after=${after}`) };
  }

  /** @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE */
  async phones(
    user: SignedInUser,
    { account_id }: SimulatorPhonesQueryDto,
  ): Promise<SimulatorPhonesDto> {
    const numbers = await this.numbers(user, account_id);
    // Without a number the simulator would tell of all of them.
    if (numbers.length === 0) return { phones: [] };
    const answer = await this.call('GET', `conversation?${numberQuery(numbers)}`);
    return answer as SimulatorPhonesDto;
  }

  /** @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE */
  async conversation(
    user: SignedInUser,
    { account_id, phone }: SimulatorConversationQueryDto,
  ): Promise<SimulatorConversationDto> {
    const numbers = await this.numbers(user, account_id);
    if (numbers.length === 0) return { phone, messages: [], typing_until: null, deliveries: [] };
    const [answer, { user_id }] = await Promise.all([
      this.call('GET', `conversation?to=${phone.slice(1)}&${numberQuery(numbers)}`),
      this.readUser(phone),
    ]);
    const told = answer as Omit<SimulatorConversationDto, 'deliveries'>;
    // Events of a user who hides the number have only the id, which may have been another one.
    const userIds = new Set([
      user_id,
      ...told.messages.flatMap(({ message }) => senderOf(message)),
    ]);
    const deliveries = await this.deliveries.listOfUser(
      user,
      { phone, userIds: [...userIds] },
      account_id,
    );
    return { ...told, deliveries };
  }

  /** @throws AppError NOT_FOUND, VALIDATION_ERROR, SERVICE_UNAVAILABLE */
  async reply(user: SignedInUser, wamid: string, reply: SimulatorReplyDto): Promise<object> {
    const messages = await this.visible(user, `limit=${searchMax}`);
    if (!messages.some(({ id }) => id === wamid)) throw noSuch('message');
    return this.call('POST', `messages/${encodeURIComponent(wamid)}/reply`, contentOf(reply));
  }

  /** @throws AppError NOT_FOUND, VALIDATION_ERROR, SERVICE_UNAVAILABLE */
  async inbound(user: SignedInUser, inbound: SimulatorInboundDto): Promise<object> {
    const { image, ...content } = inbound;
    const phoneNumberId = await this.numberOf(user, inbound.phone_number_id);
    return this.call('POST', 'inbound', {
      ...contentOf(content),
      ...(isGiven(inbound.voice) && { type: 'audio' }),
      ...(isGiven(image) && { type: 'image' }),
      phone_number_id: phoneNumberId,
    });
  }

  /** @throws AppError NOT_FOUND, VALIDATION_ERROR, SERVICE_UNAVAILABLE */
  async echo(user: SignedInUser, echo: SimulatorEchoDto): Promise<object> {
    const phoneNumberId = await this.numberOf(user, echo.phone_number_id);
    return this.call('POST', 'echoes', { ...withoutNulls(echo), phone_number_id: phoneNumberId });
  }

  /** @throws AppError NOT_FOUND, VALIDATION_ERROR, SERVICE_UNAVAILABLE */
  async changeNumber(
    user: SignedInUser,
    { phone_number_id: asked, standby }: SimulatorNumberChangeDto,
  ): Promise<SimulatorNumberAnswerDto> {
    const phone_number_id = await this.numberOf(user, asked);
    const account = await sql.findBusinessAccount.row(this.dataSource, {
      phoneNumberId: phone_number_id,
    });
    await this.call('PUT', 'numbers', { ...account, phone_number_id, standby });
    return { number: { phone_number_id, standby } };
  }

  /** @throws AppError NOT_FOUND, VALIDATION_ERROR, SERVICE_UNAVAILABLE */
  async userOf(
    user: SignedInUser,
    { phone, phone_number_id }: SimulatorUserQueryDto,
  ): Promise<SimulatorUserAnswerDto> {
    const phoneNumberId = await this.numberOf(user, phone_number_id);
    return this.shownUser(phone, phoneNumberId, await this.readUser(phone));
  }

  /** @throws AppError NOT_FOUND, VALIDATION_ERROR, SERVICE_UNAVAILABLE */
  async changeUser(
    user: SignedInUser,
    change: SimulatorUserChangeDto,
  ): Promise<SimulatorUserAnswerDto> {
    const { phone, username, hides_phone, stopped_marketing, enforces_window } = change;
    const signed_up = stopped_marketing === true ? false : change.signed_up;
    const phoneNumberId = await this.numberOf(user, change.phone_number_id);
    const before = await this.readUser(phone);
    const changed = await this.call('PUT', 'users', {
      phone,
      username,
      hides_phone,
      ...(stopped_marketing !== undefined && {
        stopped_marketing: withNumber(before.stopped_marketing, phoneNumberId, stopped_marketing),
      }),
      ...(signed_up !== undefined && {
        signed_up: withNumber(before.signed_up, phoneNumberId, signed_up),
      }),
      ...(enforces_window !== undefined && { window: enforces_window ? 'notification' : 'off' }),
    });
    return this.shownUser(phone, phoneNumberId, changed as KnownUser);
  }

  /** Makes up a user id of the same country. @throws AppError NOT_FOUND, VALIDATION_ERROR, SERVICE_UNAVAILABLE */
  async renewUserId(
    user: SignedInUser,
    { phone, phone_number_id }: SimulatorNewUserIdDto,
  ): Promise<SimulatorUserAnswerDto> {
    const phoneNumberId = await this.numberOf(user, phone_number_id);
    const { user_id: before } = await this.readUser(phone);
    const answer = await this.call('POST', 'users/change', {
      phone,
      new_user_id: `${before.slice(0, before.lastIndexOf('.') + 1)}${tenDigits()}${tenDigits()}`,
      phone_number_id: phoneNumberId,
    });
    return this.shownUser(phone, phoneNumberId, (answer as { user: KnownUser }).user);
  }

  private async readUser(phone: string): Promise<KnownUser> {
    const answer = await this.call('GET', `users?phone=${phone.slice(1)}`);
    const [found] = (answer as { users: [KnownUser] }).users;
    return found;
  }

  /** What the page shows of a user: the simulator knows more, and writes numbers without a +. */
  private async shownUser(
    phone: string,
    phoneNumberId: string,
    { user_id, username, hides_phone, stopped_marketing, signed_up }: KnownUser,
  ): Promise<SimulatorUserAnswerDto> {
    const query = `phone=${phone.slice(1)}&phone_number_id=${encodeURIComponent(phoneNumberId)}`;
    const [answer, told] = await Promise.all([
      this.call('GET', `window?${query}`),
      this.call('GET', 'numbers'),
    ]);
    const { window, is_open } = answer as { window: string; is_open: boolean };
    const { numbers } = told as { numbers: { phone_number_id: string; standby: boolean }[] };
    return {
      user: {
        phone,
        user_id,
        username,
        hides_phone,
        stopped_marketing: stopped_marketing.includes(phoneNumberId),
        signed_up: signed_up.includes(phoneNumberId),
        standby: numbers.some(
          (number) => number.phone_number_id === phoneNumberId && number.standby,
        ),
        window: is_open ? 'open' : 'closed',
        enforces_window: window !== 'off',
      },
    };
  }

  /** The requested business number, which must be the account's, or else the account's own. */
  private async numberOf(user: SignedInUser, asked?: string | null): Promise<string> {
    const numbers = await this.numbers(user);
    const phoneNumberId = asked ?? numbers[0];
    if (phoneNumberId === undefined || !numbers.includes(phoneNumberId)) {
      throw validationError({ phone_number_id: 'must be the number of an account' });
    }
    return phoneNumberId;
  }

  private async visible(user: SignedInUser, query: string): Promise<SimulatorMessage[]> {
    const [numbers, answer] = await Promise.all([
      this.numbers(user),
      this.call('GET', `messages?${query}`),
    ]);
    const { messages = [] } = answer as { messages?: SimulatorMessage[] };
    return messages.filter((message) => numbers.includes(message.phone_number_id));
  }

  private async numbers(user: SignedInUser, asked?: string): Promise<string[]> {
    const accountId = accountScope(user, asked);
    const rows = await sql.listNumbers.rows(this.dataSource, { accountId });
    return rows.map((row) => row.phone_number_id);
  }

  private async call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<object> {
    const { simulatorUrl } = this.config;
    if (simulatorUrl === null) {
      throw new AppError('NOT_FOUND', { message: 'No simulator is configured.' });
    }
    const { statusCode, answer } = await request(`${simulatorUrl}/_simulator/${path}`, {
      method,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
      .then(async (response) => ({
        statusCode: response.statusCode,
        answer: (await response.body.json()) as { error?: { message?: string } },
      }))
      .catch((cause: unknown) => {
        throw unavailable('simulator_unavailable', 'The simulator cannot be reached.', { cause });
      });
    if (statusCode === 200) return answer;
    throw validationError({ body: answer.error?.message ?? 'is refused by the simulator' });
  }
}

/** Ids of business numbers, with or without one of them. */
const withNumber = (ids: readonly string[], id: string, isIn: boolean): string[] => {
  const others = ids.filter((other) => other !== id);
  return isIn ? [...others, id] : others;
};

const tenDigits = () => String(randomInt(1_000_000_000, 10_000_000_000));

const withoutNulls = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => isGiven(field)));

/** What a user says, as the simulator takes it: it knows no null. What is filled into a flow may have some. */
const contentOf = ({ location, contact, ...rest }: SimulatorReplyDto | SimulatorInboundDto) => ({
  ...withoutNulls(rest),
  ...(location && { location: withoutNulls(location) }),
  ...(contact && { contact: withoutNulls(contact) }),
  ...('referral' in rest && rest.referral && { referral: withoutNulls(rest.referral) }),
});

/** The user id in a user's message, if it has the form of one. */
const senderOf = ({ from_user_id: id }: Record<string, unknown>): string[] =>
  typeof id === 'string' && /^[\w.]+$/.test(id) ? [id] : [];

const numberQuery = (numbers: readonly string[]) =>
  new URLSearchParams(
    numbers.map((number): [string, string] => ['phone_number_id', number]),
  ).toString();
