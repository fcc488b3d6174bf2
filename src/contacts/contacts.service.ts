import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { noSuch } from '../errors/app-error.js';
import { pageOf } from '../http/validation/page.dto.js';
import type { Contact, ContactScope } from './contact.js';
import { ContactReads } from './contact-reads.js';
import { type ContactWindow, ContactWindows } from './contact-windows.js';
import type {
  ContactAnswerDto,
  ContactDto,
  ContactListDto,
  ContactsDto,
  ContactWindowDto,
  UserIdsDto,
} from './contacts.dto.js';

/** Reads of contacts for callers. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly reads: ContactReads,
    private readonly windows: ContactWindows,
  ) {}

  async window({ phone, user_id }: UserIdsDto, scope: ContactScope): Promise<ContactWindowDto> {
    const ids = { phone: phone ?? null, userId: user_id ?? null };
    return windowView(await this.windows.findWindow(scope, ids));
  }

  /** @throws AppError NOT_FOUND, also for a contact of another account or mode. */
  async get(id: string, scope: ContactScope): Promise<ContactAnswerDto> {
    const contact = isUUID(id) ? await this.reads.findContact(id.toLowerCase(), scope) : null;
    if (!contact) throw noSuch('contact');
    return { contact: contactView(contact) };
  }

  async list(filter: ContactListDto, scope: ContactScope): Promise<ContactsDto> {
    const contacts = await this.reads.list(scope, {
      phone: filter.phone,
      userId: filter.user_id,
      beforeId: filter.cursor,
      limit: filter.limit + 1,
    });
    const { page, next_cursor } = pageOf(contacts, filter.limit);
    return { contacts: page.map(contactView), next_cursor };
  }
}

/** A contact as callers see it. */
export function contactView(contact: Contact) {
  const { id, phone, userId, parentUserId, username, name, lastInboundAt } = contact;
  return {
    contact_id: id,
    phone,
    user_id: userId,
    parent_user_id: parentUserId,
    username,
    name,
    country: (userId ?? parentUserId)?.slice(0, 2) ?? null,
    last_inbound_at: lastInboundAt,
  } satisfies ContactDto;
}

/** A window as callers see it. */
export function windowView({ state, expiresAt, lastInboundAt }: ContactWindow): ContactWindowDto {
  return { state, expires_at: expiresAt, last_inbound_at: lastInboundAt };
}
