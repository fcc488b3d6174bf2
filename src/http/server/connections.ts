import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Timers } from '../../timers/timers.js';
import { AddressList, plainAddress } from '../address-list.js';

/** Connections that one address may hold; trusted proxies may hold any number. */
const perAddressMax = 4_000;

/** A connection without traffic for this long is closed, no matter what it waits for. */
export const silentMaxMs = 120_000;

/** How long a refused client has to read the reason and close. */
const refusedMaxMs = 1_000;

/** A client that reads nothing of its answer for this long is cut off. */
const unreadMaxMs = 20_000;
const unreadCheckMs = 5_000;

interface Connection {
  readonly address: string;
  bytesWritten: number;
  /** Since when the client has read nothing of the pending data; null while none is pending. */
  unreadSinceMs: number | null;
}

/**
 * Limits what strangers can hold: connections of one address, and answers that they do not read.
 * docs/security.md lists the other limits.
 */
export function boundConnections(
  server: Server,
  trustedProxies: readonly string[],
  timers: Timers,
): void {
  const proxies = new AddressList(trustedProxies);
  const connections = new Map<Socket, Connection>();
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const count = counts.get(address) ?? 0;
    if (count >= perAddressMax && !proxies.allows(address)) {
      socket.destroy();
      return;
    }
    counts.set(address, count + 1);
    connections.set(socket, { address, bytesWritten: 0, unreadSinceMs: null });
    socket.once('close', () => {
      connections.delete(socket);
      const left = (counts.get(address) ?? 1) - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
  });
  timers.every(unreadCheckMs, 'cut off clients that read nothing', () => {
    const nowMs = performance.now();
    for (const [socket, connection] of connections) {
      const { bytesWritten } = connection;
      connection.bytesWritten = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || connection.bytesWritten !== bytesWritten) {
        connection.unreadSinceMs = null;
      } else connection.unreadSinceMs ??= nowMs;
      if (nowMs - (connection.unreadSinceMs ?? nowMs) >= unreadMaxMs) socket.destroy();
    }
  });
}

/** Ends a connection with a last answer, and frees it even if the other side never closes. */
export function endConnection(socket: Socket, answer: string): void {
  socket.end(answer);
  const timer = setTimeout(() => socket.destroy(), refusedMaxMs);
  socket.once('close', () => clearTimeout(timer));
}
