import { Module } from '@nestjs/common';
import { ContactReads } from './contact-reads.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';

/** Contacts for callers. */
@Module({
  controllers: [ContactsController],
  providers: [ContactReads, ContactsService],
  exports: [ContactReads],
})
export class ContactsModule {}
