import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Row } from '../database/statements/statement.js';
import type { ContactIds, ContactScope } from './contact.js';
import * as sql from './contact-windows.statements.js';

/** Whether free-form messages reach a user now: within 24 hours of their last message. */
export type ContactWindow = Readonly<Row<typeof sql.findContactWindow>>;

/** Reads windows. */
@Injectable()
export class ContactWindows {
  constructor(private readonly dataSource: DataSource) {}

  /** The window of a user; with a number and a user id, of the one with the number. */
  async findWindow({ accountId, mode }: ContactScope, ids: ContactIds): Promise<ContactWindow> {
    const { phone, userId } = ids;
    const given = { accountId, mode, phone, userId };
    const window = await sql.findContactWindow.row(this.dataSource, given);
    if (!window) throw new Error('a window is always answered');
    return window;
  }
}
