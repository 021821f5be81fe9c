//! The gateway as its clients meet it.

mod agent;
mod api;
mod chat;
mod documents;
mod http;
mod limits;
mod outer;
mod postgres;
mod served;
mod sockets;
