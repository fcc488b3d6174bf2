import { Module } from '@nestjs/common';
import { PlatformClients } from './platform-clients.js';

/** The only owner of clients of the platform. */
@Module({ providers: [PlatformClients], exports: [PlatformClients] })
export class PlatformModule {}
