//! The gateway as its clients meet it.

mod agent;
mod api;
mod chat;
mod http;
mod outer;
mod postgres;
mod served;
mod sockets;
