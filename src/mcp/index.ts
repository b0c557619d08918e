export { createMcpHandler } from '@modelcontextprotocol/server';
export * from './tool-server.ts';
export * from './tools.ts';
