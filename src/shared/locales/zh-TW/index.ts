import { cli } from "./cli";
import { demo } from "./demo";
import { errors } from "./errors";
import { ui } from "./ui";

export const zhTw = { cli, demo, errors, ui };
